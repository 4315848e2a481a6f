"""Static pieces and what their static neighbours cover of them, so that nothing bounces on a seam."""
