"""The build of the documentation site: its pages are laid out, the gallery is played, and all links are checked."""
