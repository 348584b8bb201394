#include "sign.h"

int sign(double value)
{
    if (value < 0.0)
        return -1;
    return value > 0.0;
}
