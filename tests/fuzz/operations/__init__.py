"""Operations of a game, by groups; `table` lists them all."""
