/** A real SMTP server on the loopback address. It keeps the received e-mails. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface ReceivedMail {
  to: string
  subject: string
  /** The whole e-mail, decoded. */
  source: string
  /** The address in its text. Undefined for an e-mail without a link. */
  link: string | undefined
  token: string
}

export interface MailServer {
  port: number
  mails: ReceivedMail[]
  /** E-mails to an address, the oldest first. */
  to: (email: string) => ReceivedMail[]
  stop: () => Promise<void>
}

/** Decodes quoted-printable: soft line breaks, and bytes as =XX. */
const decoded = (source: string): string =>
  Buffer.from(
    source
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

/** A header in another script is split into several encoded words. */
const decodedWords = (header: string): string =>
  header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?B\?([^?]*)\?=/gi, (_whole, text: string) => Buffer.from(text, 'base64').toString())
    .replaceAll(/=\?utf-8\?Q\?([^?]*)\?=/gi, (_whole, text: string) => decoded(text.replaceAll('_', ' ')))

/** Reads an e-mail with its original encoding. `to` is its recipient. */
const readMail = (raw: string, to: string): ReceivedMail => {
  const subject = decodedWords(/^Subject: (.*(?:\r?\n[ \t].*)*)/m.exec(raw)?.[1] ?? '')
  const bodies = raw.replaceAll(
    /Content-Transfer-Encoding: base64\r?\n\r?\n([\w+/=\r\n]+)/g,
    (_whole, text: string) => `\r\n${Buffer.from(text, 'base64').toString()}`,
  )
  const source = bodies === raw ? decoded(raw) : bodies
  const [link, token = ''] =
    /https?:\/\/\S+#(?:token|proof)=([\w-]+)(?:&interaction=[\w-]+)?/.exec(source) ?? []
  return { to, subject, source, link, token }
}

export const startMailServer = async (options: SMTPServerOptions = {}): Promise<MailServer> => {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString()
        for (const { address } of session.envelope.rcptTo) mails.push(readMail(raw, address))
        done()
      })
    },
    ...options,
  })
  // Ignores connections that a test cuts.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    mails,
    to: (email) => mails.filter((mail) => mail.to.toLowerCase() === email.toLowerCase()),
    stop: () => new Promise((done) => server.close(() => done())),
  }
}
