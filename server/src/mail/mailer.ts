import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { addressIn, isLoopback } from '../config/config-values.ts'
import type { Config } from '../config/config.ts'
import { createMailFolder } from './mail-folder.ts'

export interface Email {
  /** The Message-ID. Mail programs recognise a repeated e-mail by it. */
  id: string
  createdAt: Date
  to: string
  /** Replaces the name in TENANTRY_MAIL_FROM. */
  fromName?: string | undefined
  subject: string
  text: string
  html: string
  /** A picture that the HTML refers to by its id. */
  logo?: { id: string; type: string; content: Buffer } | undefined
  link?: string | undefined
}

/** Sends e-mails by SMTP, or writes them into files. */
export interface Mailer {
  /** True if the service writes e-mails to files in the data folder. */
  writesFiles: boolean
  /**
   * Resolves when the mail server or the disk has accepted the e-mail. Throws SendFailure. The signal ends the attempt
   * and its connection.
   */
  send(email: Email, signal: AbortSignal): Promise<void>
  /** Throws SendFailure unless the mail server answers and accepts the credentials. */
  check(): Promise<void>
}

/** The reason why an e-mail was not sent. It quotes neither recipient nor content. */
export class SendFailure extends Error {
  override readonly name = 'SendFailure'
  /** True if the mail server refuses this e-mail permanently. */
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean) {
    super(message)
    this.isFinal = isFinal
  }
}

/**
 * The connection ends if the mail server is silent for this time. For a server that answers slowly, the caller needs a
 * limit of its own.
 */
const stepMs = 15_000
/** The mail server has this time to close its side. Then the connection is destroyed. */
const closeMs = 500
/** The longest check of the mail server. */
const checkMs = 60_000

/** The transport to a mail server. TLS is optional on the same machine, where nobody can read the traffic. */
const smtpOptions = (smtpUrl: string) => {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const isSecure = protocol === 'smtps:'
  const isNear = isLoopback(hostname)
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    requireTLS: !isSecure && !isNear,
    opportunisticTLS: isNear,
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    socketCloseTimeout: closeMs,
    dnsTimeout: stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Fields of nodemailer's errors. */
interface SmtpError {
  code?: unknown
  command?: unknown
  responseCode?: unknown
}

/** Error codes that refuse only this e-mail: its recipient, its sender or its content. */
const refusals: unknown[] = ['EENVELOPE', 'EMESSAGE']

const tooLong = () => new SendFailure('the mail server took too long', false)

/** A failure with only the codes of an error, because the server's text can quote the recipient. */
const failureOf = (err: unknown): SendFailure => {
  const { code, command, responseCode } = err as SmtpError
  if (code === 'EABORT') return tooLong()
  const parts = [code, command, responseCode].filter(
    (part) => typeof part === 'string' || typeof part === 'number',
  )
  const isFinal = refusals.includes(code) && typeof responseCode === 'number' && responseCode >= 500
  return new SendFailure(`the mail server: ${parts.join(' ') || 'no answer'}`, isFinal)
}

const hostOf = (publicUrl: string): string => new URL(publicUrl).hostname

const senderOf = ({ fromName }: Email, mailFrom: string) =>
  fromName === undefined ? mailFrom : { name: fromName, address: addressIn(mailFrom) }

/**
 * Attaches the logo. Many programs do not show a remote picture, and a remote picture would report the reader to its
 * server.
 */
const picturesOf = ({ logo }: Email) =>
  logo
    ? {
        attachments: [
          {
            cid: logo.id,
            content: logo.content,
            contentType: logo.type,
            contentDisposition: 'inline' as const,
            filename: logo.type.replace('image/', 'logo.'),
          },
        ],
      }
    : {}

const messageOf = (email: Email, { mailFrom, publicUrl }: MailConfig) => ({
  from: senderOf(email, mailFrom),
  to: { name: '', address: email.to },
  subject: email.subject,
  text: email.text,
  html: email.html,
  ...picturesOf(email),
  date: email.createdAt,
  messageId: `<${email.id}@${hostOf(publicUrl)}>`,
  // RFC 3834: automatic responders do not answer an e-mail with this header.
  headers: { 'Auto-Submitted': 'auto-generated' },
})

type MailConfig = Pick<Config, 'databaseUrl' | 'dataDir' | 'mailFrom' | 'publicUrl' | 'smtpUrl'>

/**
 * Opens the mail server, or with the embedded database a folder for files. Undefined if there is neither. Does not
 * connect yet.
 */
export const openMailer = (config: MailConfig, log: Pick<Logger, 'info'>): Mailer | undefined => {
  if (config.smtpUrl !== undefined) return smtpMailer(config, config.smtpUrl)
  return config.databaseUrl === undefined ? fileMailer(config, log) : undefined
}

/** Loaded with the first e-mail: it takes 10 MB. */
const library = () => import('nodemailer')

const smtpMailer = (config: MailConfig, smtpUrl: string): Mailer => {
  const options = smtpOptions(smtpUrl)
  const open = async () => (await library()).createTransport(options)
  return {
    writesFiles: false,
    async send(email, signal) {
      const transport = await open()
      await transport.sendMail({ ...messageOf(email, config), signal }).catch((err: unknown) => {
        throw failureOf(err)
      })
    },
    async check() {
      const transport = await open()
      const checked = transport.verify().catch((err: unknown) => {
        throw failureOf(err)
      })
      const late = sleep(checkMs, undefined, { ref: false }).then(() => {
        throw tooLong()
      })
      await Promise.race([checked, late])
    },
  }
}

/**
 * A header with the whole link, for a person who reads the file: the encoding of the body breaks lines. `prepared`
 * prevents nodemailer from folding the header.
 */
const plainLink = ({ link }: Email) =>
  link === undefined ? {} : { 'X-Tenantry-Link': { prepared: true, value: link } }

const fileMailer = (config: MailConfig, log: Pick<Logger, 'info'>): Mailer => {
  const folder = createMailFolder(config.dataDir)
  return {
    writesFiles: true,
    async send(email) {
      const { createTransport } = await library()
      const transport = createTransport({ streamTransport: true, buffer: true })
      const { headers, ...rest } = messageOf(email, config)
      const { message } = await transport.sendMail({ ...rest, headers: { ...headers, ...plainLink(email) } })
      const file = await folder.write(email, message as Buffer)
      log.info({ file }, 'wrote an e-mail into a file, because SMTP_URL is not set')
    },
    async check() {},
  }
}
