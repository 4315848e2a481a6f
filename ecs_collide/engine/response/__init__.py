"""What contacts do to velocities and positions: soft impulses in substeps."""
