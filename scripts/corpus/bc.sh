# bc 1.07.1 with dc (Debian source package bc 1.07.1-3).
bc_unpack() {
    local tarball
    tarball=$(fetch_debian bc=1.07.1-3 bc_1.07.1.orig.tar.gz 62adfca89b0a1c0164c2cdca59ca210c1d44c3ffc46daf9931cf4942664cb02a) || return 1
    unpack "$tarball" "$1"
}
bc_steps() { echo './configure --without-readline --without-libedit MAKEINFO=true && make MAKEINFO=true'; }
bc_workloads() {
    local script when
    for script in array arrayp aryprm atan div exp fact jn ln mul raise sine sqrt sqrt1 sqrt2 testfn; do
        when=ci
        case $script in jn | raise | mul) when=full ;; esac
        work $when "test-$script" "bc/bc -l Test/$script.b </dev/null"
    done
    for script in primes digits functions long; do
        work ci "$script" "bc/bc -l $workloads/bc/$script.bc </dev/null"
    done
    work ci errors "printf '1/0\nsqrt(-1)\n(1+\n2\nx=\n' | bc/bc; echo 'define f(x) { return (y) }; f(2)' | bc/bc -s; echo '1 + 1' | bc/bc -w nosuch.bc"
    work ci dc "echo '20k 2v p 5 3 ^ p 16o 255 p [la1+dsa*pla10>y]sy 0sa1 lyx f 1 2 3 r f z p' | dc/dc"
    work ci dc-errors "echo '1 0 / p + [unbalanced' | dc/dc; dc/dc -e '2 100 ^ p' -e '10 ? p' </dev/null"
    work full signum "bc/bc -l Test/signum </dev/null"
    work full primes-long "echo 'for (i = 2; i < 9000; i++) { f = 1; for (j = 2; j * j <= i; j++) if (i % j == 0) { f = 0; break }; c += f }; c' | bc/bc"
    work full pi-long "echo 'scale = 700; 4 * a(1)' | bc/bc -l"
    work full dc-long "echo '3000k 2v p' | dc/dc | cksum"
}
