"""Which bodies hang together by joints, and how that is laid out for the solver."""
