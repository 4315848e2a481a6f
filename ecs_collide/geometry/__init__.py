"""The ground floor: primitives that the documented algorithms and the engine share, each once."""
