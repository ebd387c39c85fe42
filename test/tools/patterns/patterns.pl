# Reads lines of a pattern, a text (UTF-8 in hexadecimal) and 1 or 0; says where Perl disagrees.
use strict;
use warnings;
use Encode qw(decode);

binmode STDERR, ':utf8';
open my $lines, '<', $ARGV[0] or die $!;
my $wrong = 0;
while (my $line = <$lines>) {
    chomp $line;
    my ($pattern, $text, $expected) = split /,/, $line, -1;
    $_ = decode('UTF-8', pack 'H*', $_) for $pattern, $text;
    my $matches = $text =~ /$pattern/u ? 1 : 0;
    next if $matches == $expected;
    print STDERR "$pattern on '$text'\n";
    $wrong = 1;
}
exit $wrong;
