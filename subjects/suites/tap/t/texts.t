echo "ok"
echo "ok 2 joins"
echo "1..2"
