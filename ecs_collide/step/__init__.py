"""The stages of a step, what else a world does between its steps, and the pipeline that wires it all."""
