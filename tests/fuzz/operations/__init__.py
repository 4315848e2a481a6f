"""What a game can do, by groups; `table` lists it all."""
