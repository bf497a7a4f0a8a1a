/** Hashes that the tools of other systems made, for tests. */

/** The password of all but Firebase's. */
export const foreignPassword = 'correct horse battery'

/** Firebase's published test vector: github.com/firebase/scrypt. */
export const firebase = {
  password: 'user1password',
  key: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  salt: '42xEC+ixf3L2lw==',
  hash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
}

export const firebaseText = `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=${firebase.key}$${firebase.salt}$${firebase.hash}`

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
  ['argon2i', argon(4096, 1, 1).replace('argon2id', 'argon2i')],
  ['scrypt of 512 MiB', scrypt(19, 8, 1)],
  ['scrypt of 2^99 blocks', scrypt(99, 8, 1)],
  ['scrypt of many lanes', scrypt(14, 8, 999_999_999)],
  ['scrypt with more blocks than its r allows', scrypt(16, 1, 1)],
  ['scrypt that needs more memory than its blocks', scrypt(1, 1_000_000, 1)],
  ['scrypt without a key', firebaseText.replace(/,sk=[^$]*/, '')],
  ['scrypt with the key of another hash', firebaseText.replace(/sk=[^$]*/, `sk=${base64(32)}`)],
  ['scrypt with the id of a key', firebaseText.replace(/sk=[^$]*/, `kid=${'a'.repeat(22)}`)],
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
