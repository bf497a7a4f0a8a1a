/** Hashes that the tools of other systems made, for tests. */

/** The password of most. */
export const foreignPassword = 'correct horse battery'

/** Firebase's published test vector: github.com/firebase/scrypt. */
export const firebase = {
  password: 'user1password',
  key: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  salt: '42xEC+ixf3L2lw==',
  hash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
}

export const firebaseText = `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=${firebase.key}$${firebase.salt}$${firebase.hash}`

const werkzeugText =
  'scrypt:1024:8:2$jdD3P9r5z5iX20BX$b36ea75cdca443457fd73256ecfe468edd5b2c2fb9090c057145c656526e1b9ffd3c170580a32120dc9d3e01ab73add00d9bdb59a8e9a883b2e34d7b730f273f'

const betterAuthText =
  'ee11731c1c8987e9ef3e640eb280f175:93cb69e82949beab3c3ebc25c919d96b0f85b66521936a441a484d13478830859a6c7c39b8e2fba5be399d543eabbf258896e281f428083119e6200252c43878'

const aspNetV2 = 'AAABAgMEBQYHCAkKCwwNDg+ukCEMDf0yyQ29NYubggHIVY0sdEUfdyeM+E1LtH1uJg=='

/** Each with the tool that made it. */
export const foreignHashes: [tool: string, text: string, password: string][] = [
  [
    'argon2 -id -t 3 -k 4096 -p 1 (Debian)',
    '$argon2id$v=19$m=4096,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$PqbWeYBDSk7ZaWx0GOjGkAc90NY9c7PWPZPKTO+e92U',
    foreignPassword,
  ],
  [
    'argon2 -id -t 2 -k 8192 -p 4 -l 64 (Debian)',
    '$argon2id$v=19$m=8192,t=2,p=4$c29tZXNhbHRzb21lc2FsdA$guqRymKD6/WONyZE4GQgWMGS46JDPnBIhCYGCSR2faTDX+Nvd5CI/500cMztdnlvOilRudqm+tNoBEWHyPk1wQ',
    foreignPassword,
  ],
  ['htpasswd -BC 6', '$2y$06$t12kYA9Fd7Z6bZLrtJL29eI/3FSek9jDENyBmqGemmRQ07cfdwcf6', foreignPassword],
  [
    'hashlib.pbkdf2_hmac("sha1")',
    '$pbkdf2-sha1$i=1000,l=20$YSBzYWx0IG9mIGl0cyBvd24$9V4RSdoSh1y4GToxEXg28CvLbwQ',
    foreignPassword,
  ],
  [
    'hashlib.pbkdf2_hmac("sha256")',
    '$pbkdf2-sha256$i=1000,l=32$YSBzYWx0IG9mIGl0cyBvd24$DAUXyLmi8j9JycMB0DuFVJg7zVpZkjNrAm1u7JmVOZw',
    foreignPassword,
  ],
  [
    'hashlib.pbkdf2_hmac("sha512"), in the form of passlib',
    '$pbkdf2-sha512$1000$YSBzYWx0IG9mIGl0cyBvd24$5Rr/1AUjeAeJVeKv4szpgH97nRq0/u3/S0KAqYIq.D0AroSYvbLhNlbeKzLrgNwG83V9lFmqYBbapnIBlQr3tA',
    foreignPassword,
  ],
  [
    'Django 5.2',
    'pbkdf2_sha256$5000$7RqTZB8wIIBAFVnLbhtSVf$6V6O0yEOpSkwbDSacEcoc7ah7FUKf/jiisF5DFRhSWs=',
    foreignPassword,
  ],
  [
    'Django 5.2 with SHA-1',
    'pbkdf2_sha1$5000$1xD9bghvi2sZo5cdpOwVFR$wJW7uM/jLAQR6MiDDKH//DOxwmg=',
    foreignPassword,
  ],
  ["Firebase's published vector", firebaseText, firebase.password],
  [
    "argon2i, of the reference implementation's tests",
    '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8',
    'password',
  ],
  [
    "Spring's prefix before htpasswd -BC 6",
    '{bcrypt}$2y$06$t12kYA9Fd7Z6bZLrtJL29eI/3FSek9jDENyBmqGemmRQ07cfdwcf6',
    foreignPassword,
  ],
  [
    "scrypt, of passlib's documentation",
    '$scrypt$ln=8,r=8,p=1$WKs1xljLudd6z9kbY0wpJQ$yCR4iDZYDKv+iEJj6yHY0lv/epnfB6f/w1EbXrsJOuQ',
    'password',
  ],
  ['Werkzeug 3.1', werkzeugText, foreignPassword],
  ['Better Auth 1.7, which normalises the password by NFKC', betterAuthText, 'ﬁsh and ½ chips'],
  // The vectors of ASP.NET Core's own tests.
  ['ASP.NET Identity V2', aspNetV2, 'my password'],
  [
    'ASP.NET Identity V3 with SHA-1',
    'AQAAAAAAAAD6AAAAEAhftMyfTJylOlZT+eEotFXd1elee8ih5WsjXaR3PA9M',
    'my password',
  ],
  [
    'ASP.NET Identity V3 with SHA-256',
    'AQAAAAEAACcQAAAAEAABAgMEBQYHCAkKCwwNDg+yWU7rLgUwPZb1Itsmra7cbxw2EFpwpVFIEtP+JIuUEw==',
    'my password',
  ],
  [
    'ASP.NET Identity V3 with SHA-512',
    'AQAAAAIAAAD6AAAAIJbVi5wbMR+htSfFp8fTw8N8GOS/Sje+S/4YZcgBfU7EQuqv4OkVYmc4VJl9AGZzmRTxSkP7LtVi9IWyUxX8IAAfZ8v+ZfhjCcudtC1YERSqE1OEdXLW9VukPuJWBBjLuw==',
    'my password',
  ],
]

const salt = 'c29tZXNhbHRzb21lc2FsdA'
const hash32 = 'PqbWeYBDSk7ZaWx0GOjGkAc90NY9c7PWPZPKTO+e92U'
const bcrypt = (cost: string) => `$2b$${cost}$${'a'.repeat(53)}`
const argon = (m: number, t: number, p: number) => `$argon2id$v=19$m=${m},t=${t},p=${p}$${salt}$${hash32}`
const scrypt = (n: number, r: number, p: number) =>
  firebaseText.replace('n=14,r=8,p=1', `n=${n},r=${r},p=${p}`)
const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64').replace(/=+$/, '')
const pbkdf2 = (rounds: number, saltBytes: number, outputBytes: number) =>
  `$pbkdf2-sha256$i=${rounds}$${base64(saltBytes)}$${base64(outputBytes)}`

/** The form of ASP.NET Identity's V3: numbers of 32 bits, then salt and hash. */
const aspNetV3 = (prf: number, rounds: number, saltBytes: number, outputBytes: number) => {
  const head = Buffer.alloc(13, 1)
  for (const [place, value] of [prf, rounds, saltBytes].entries()) head.writeUInt32BE(value, 1 + 4 * place)
  return Buffer.concat([head, Buffer.alloc(saltBytes + outputBytes, 7)]).toString('base64')
}
const werkzeug = (cost: string, saltText = 'jdD3P9r5z5iX20BX', output = 'ab'.repeat(64)) =>
  `scrypt:${cost}$${saltText}$${output}`
const phcScrypt = (parameters: string, saltText = base64(16), output = base64(32)) =>
  `$scrypt$${parameters}$${saltText}$${output}`

/** Texts that no row may bring in: hashes beyond the bounds, and what is none. */
export const refusedHashes: [reason: string, text: string][] = [
  ['bcrypt that takes seconds', bcrypt('16')],
  ['bcrypt that takes days', bcrypt('31')],
  ['bcrypt of no cost', bcrypt('03')],
  ['argon2id of 4 GiB', argon(4_194_304, 1, 1)],
  ['argon2id of more than 256 MiB', argon(262_145, 1, 1)],
  ['argon2id of more than 1 GiB in all passes', argon(262_144, 5, 1)],
  ['argon2id of many passes', argon(8, 999_999_999, 1)],
  ['argon2id of 5 lanes', argon(4096, 1, 5)],
  ['argon2id with less memory than its lanes need', argon(8, 1, 4)],
  ['argon2i of 4 GiB', argon(4_194_304, 1, 1).replace('argon2id', 'argon2i')],
  ['argon2d', argon(4096, 1, 1).replace('argon2id', 'argon2d')],
  ['argon2id of an older version', argon(4096, 1, 1).replace('v=19', 'v=16')],
  ['scrypt of 512 MiB', scrypt(19, 8, 1)],
  ['scrypt of 2^99 blocks', scrypt(99, 8, 1)],
  ['scrypt of many lanes', scrypt(14, 8, 999_999_999)],
  ['scrypt with more blocks than its r allows', scrypt(16, 1, 1)],
  ['scrypt that needs more memory than its blocks', scrypt(1, 1_000_000, 1)],
  ['scrypt without a key', firebaseText.replace(/,sk=[^$]*/, '')],
  ['scrypt with the key of another hash', firebaseText.replace(/sk=[^$]*/, `sk=${base64(32)}`)],
  ['scrypt with the id of a key', firebaseText.replace(/sk=[^$]*/, `kid=${'a'.repeat(22)}`)],
  ['scrypt in PHC form of 512 MiB', phcScrypt('ln=19,r=8,p=1')],
  ['scrypt in PHC form of 2^99 blocks', phcScrypt('ln=99,r=8,p=1')],
  ['scrypt in PHC form of many lanes', phcScrypt('ln=14,r=8,p=999999999')],
  ['scrypt in PHC form without a block', phcScrypt('ln=14,r=0,p=1')],
  ['scrypt in PHC form with a salt of 7 bytes', phcScrypt('ln=14,r=8,p=1', base64(7))],
  ['scrypt in PHC form with a hash of 65 bytes', phcScrypt('ln=14,r=8,p=1', base64(16), base64(65))],
  ["Werkzeug's scrypt of 512 MiB", werkzeug('524288:8:1')],
  ["Werkzeug's scrypt whose N is no power of two", werkzeug('32767:8:1')],
  ["Werkzeug's scrypt of many lanes", werkzeug('16384:8:999999999')],
  ["Werkzeug's scrypt with a salt of 7 bytes", werkzeug('1024:8:1', '1234567')],
  ["Werkzeug's scrypt with half a byte", werkzeug('1024:8:1', undefined, 'abc'.repeat(33))],
  ["Better Auth's scrypt with another length", betterAuthText.slice(0, -2)],
  ["Better Auth's scrypt of nothing", ':'],
  ["ASP.NET Identity's V2 that is too short", Buffer.alloc(48).toString('base64')],
  ["ASP.NET Identity's V2 with more behind it", Buffer.alloc(50).toString('base64')],
  ["ASP.NET Identity's V3 of 4,294,967,295 rounds", aspNetV3(1, 4_294_967_295, 16, 32)],
  ["ASP.NET Identity's V3 of no round", aspNetV3(1, 0, 16, 32)],
  ["ASP.NET Identity's V3 of another digest", aspNetV3(3, 1000, 16, 32)],
  ["ASP.NET Identity's V3 with a salt of 7 bytes", aspNetV3(1, 1000, 7, 32)],
  ["ASP.NET Identity's V3 with a salt of 65 bytes", aspNetV3(1, 1000, 65, 32)],
  ["ASP.NET Identity's V3 whose salt is longer than all of it", aspNetV3(1, 1000, 16, 32).slice(0, 20)],
  ["ASP.NET Identity's V3 with a hash of 15 bytes", aspNetV3(1, 1000, 16, 15)],
  ["ASP.NET Identity's V3 with a hash of 65 bytes", aspNetV3(1, 1000, 16, 65)],
  ["ASP.NET Identity's third version", Buffer.alloc(49, 2).toString('base64')],
  ['a password in plain text behind a prefix of Spring', `{noop}${foreignPassword}`],
  ['a hash behind {noop}', `{noop}${bcrypt('10')}`],
  ['a prefix before another hash', `{bcrypt}${argon(4096, 1, 1)}`],
  ['a prefix twice', `{bcrypt}{bcrypt}${bcrypt('10')}`],
  ['PBKDF2 of more than 2,000,000 rounds', pbkdf2(2_000_001, 16, 32)],
  ['PBKDF2 of no round', pbkdf2(0, 16, 32)],
  ['a hash that is longer than its digest', pbkdf2(1000, 16, 33)],
  ['a hash of 15 bytes', pbkdf2(1000, 16, 15)],
  ['a salt of 7 bytes', pbkdf2(1000, 7, 32)],
  ['a salt of 65 bytes', pbkdf2(1000, 65, 32)],
  ['a salt that is not base64', pbkdf2(1000, 16, 32).replace('BwcH', 'BwcH=')],
  ['a length that is not the hash', pbkdf2(1000, 16, 32).replace('i=1000', 'i=1000,l=31')],
  ['another digest', pbkdf2(1000, 16, 32).replace('sha256', 'md5')],
  ['a text of more than 512 characters', `pbkdf2_sha256$1000$somesalt$${base64(48)}${'A'.repeat(512)}`],
  ['two hashes', `${bcrypt('10')}${bcrypt('10')}`],
  ['two hashes on two lines', `${bcrypt('10')}\n${bcrypt('10')}`],
  ['a plain text', foreignPassword],
  ['MD5', '5f4dcc3b5aa765d61d8327deb882cf99'],
  ['SHA-512 of crypt', '$6$rounds=5000$usesomesillystri$D4IrlXatmP7rx3P3InaxBeoomnAihCKRVQAr/36eYrM'],
]
