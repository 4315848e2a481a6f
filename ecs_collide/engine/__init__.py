"""The five stages of a step, and the pipeline that wires them."""
