"""What contacts do to velocities and positions: soft impulses in substeps, or impacts in the order of their times."""
