int sign(double value);
