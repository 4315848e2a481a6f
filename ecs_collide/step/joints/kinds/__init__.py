"""What each kind of joint asks for, one file each: its rows, how far it gapes, and its free coordinate."""
