/* Amounts of money in hundredths. */
#ifndef MONEY_H
#define MONEY_H

typedef long long money;

#define MONEY_TEXT 32

int money_read(const char *text, money *amount);
const char *money_write(money amount, char *text);
money money_share(money amount, int percent);
void money_split(money amount, int parts, money *shares);
money money_interest(money amount, int basis_points, int days);

#endif
