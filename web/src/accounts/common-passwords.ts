const LATIN = `123456 1234567 12345678 123456789 1234567890 0123456789 987654321 654321 123123 123321 112233 111111
000000 222222 333333 444444 555555 666666 777777 888888 999999 11111111 00000000 121212 131313 159753 147258 147258369
102030 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qazwsx qazwsxedc zaq12wsx q1w2e3r4 q1w2e3 qweasd qweasdzxc asdasd asdfgh
asdfghjkl zxcvbn zxcvbnm qwerty qwerty1 qwerty12 qwerty123 qwerty12345 qwertyuiop qwerty123456 password password1
password123 passw0rd p@ssw0rd pass123 pass1234 letmein welcome admin admin1 admin123 administrator login root toor
monkey dragon master sunshine princess football baseball superman batman shadow michael jordan killer freedom whatever
trustno1 iloveyou starwars hello123 abc123 abcdef a123456 aa123456 samsung google computer internet secret test123
testtest changeme default natasha marina svetlana andrey sergey dmitry maksim nikita spartak zenit parol parol123
privet lublu krasota rossiya moskva`

/** Words typed without switching the keyboard, and with it. */
const RUSSIAN = `пароль пароль1 пароль123 йцукен йцукенг йцукенгшщз фывапр фывапролдж ячсмить привет приветик
любовь солнце наташа марина светлана максим никита андрей сергей дмитрий россия москва спартак зенит
gfhjkm gfhjkm1 gfhjkm123 ghbdtn ghbdtn123 k.,jdm cjkywt yfnfif vfhbyf cdtnkfyf vfrcbv ybrbnf fylhtq cthutq
lvbnhbq hjccbz vjcrdf tkbpfdtnf rhfcjnf`

/** The commonest passwords, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(`${LATIN} ${RUSSIAN}`.split(/\s+/))
