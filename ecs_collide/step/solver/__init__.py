"""The impulse response: soft contacts in substeps, eight at a time."""
