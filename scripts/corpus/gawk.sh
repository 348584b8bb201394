# gawk 5.2.1 with its extensions (Debian source package gawk 1:5.2.1-2).
gawk_unpack() {
    local tarball
    tarball=$(fetch_debian gawk=1:5.2.1-2 gawk_5.2.1.orig.tar.xz 2337a0283b180ec1b9c727973a34781c6478b3ae9bcbdcca0a4dc49861d75a65) || return 1
    unpack "$tarball" "$1"
}
# Debian took the documentation out of the tarball: its folder is left out.
gawk_steps() { echo './configure --disable-nls --disable-mpfr --without-readline MAKEINFO=true && sed "s/extras doc awklib po/extras po/" Makefile >Makefile.new && mv Makefile.new Makefile && make -j2'; }
gawk_workloads() {
    local script
    for script in "$workloads"/awk/*.awk; do
        work ci "$(basename "$script" .awk)" "./gawk -f $script $workloads/awk/input.txt"
    done
    work ci one-liners "./gawk 'BEGIN { print length(\"x\"), 1 / 4; exit 5 }'; echo 'a b' | ./gawk '{ print \$2, \$1 }'; ./gawk 'BEGIN { print 1 / 0 }'; ./gawk 'BEGIN { syntax error'"
    work ci extensions "AWKLIBPATH=extension/.libs ./gawk -l ordchr -l rwarray -l filefuncs -l fnmatch -l time 'BEGIN { print ord(\"a\"), chr(98), fnmatch(\"*.c\", \"x.c\", 0); a[1] = 2; a[\"x\"][3] = 4; print writea(\"a.bin\", a), reada(\"a.bin\", b), b[\"x\"][3]; print stat(\"Makefile\", s), s[\"type\"], (gettimeofday() > 0) }'"
    work ci suite-basic "make check-basic-part 2>/dev/null; cd test && for t in addcomma anchgsub arrayparm arrayref asgext awkpath back89 childin clobber concat1 convfmt delarprm dfastress dynlj exit fflush fieldwdth fnarray fordel fsbs funstack getline gensub gsubtest hex inputred intest longwrds manyfiles math messages negexp nfset noeffect numindex ofmt opasnidx paramdup parseme pcntplus prdupval printf0 rand rebt8b1 redfilnm regeq reindops reparse resplit rsnul1nl rstest1 rswhite scalar sclforin splitargv splitvar strcat1 strtod subslash substr swaplns synerr1 tailrecurse tradanch uninit2 unterm wideidx zero2; do make \$t >/dev/null 2>&1; test -e _\$t && echo failed \$t; rm -f _\$t; done; echo done"
    # As in the plain run, some tests fail without their locales.
    work full suite "make check >check.log 2>&1; (cd test && ls _* 2>/dev/null | grep -v '_argarray\$' | sort); grep -c 'TESTS PASSED' check.log; cd test && make rm-fail clean >/dev/null 2>&1; echo done"
    work full functions-long "./gawk -v N=25 -f $workloads/awk/functions.awk"
    work full numbers-long "./gawk -v N=300000 -f $workloads/awk/numbers.awk"
}
