"""Any shape as rows of corners and edges: distance, first contact and rays of shapes and of pieces in a step."""
