/** The e-mails of a service under proof. An SMTP server receives them, because a link in a file proves no mailbox. */
import { setTimeout as sleep } from 'node:timers/promises'
import { startMailServer, type ReceivedMail } from '../lab/mail-server.ts'

export interface Mailbox {
  /** Settings of the service that fills it. */
  env: Record<string, string>
  /** All e-mails so far, the oldest first. */
  read(): Promise<ReceivedMail[]>
  close(): Promise<void>
}

/** A real SMTP server on the loopback address. */
export const smtpMailbox = async (): Promise<Mailbox> => {
  const { port, mails, stop } = await startMailServer()
  return {
    env: {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      TENANTRY_MAIL_FROM: 'Tenantry <no-reply@people.example.com>',
    },
    read: async () => [...mails],
    close: stop,
  }
}

/** E-mails to an address, the oldest first. */
export const mailsTo = async (mailbox: Mailbox, email: string): Promise<string[]> => {
  const mails = await mailbox.read()
  return mails.filter(({ to }) => to.toLowerCase().includes(email.toLowerCase())).map(({ source }) => source)
}

/** Resolves with the first result. */
export const awaitMail = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(50)) {
    const found = await look()
    if (found !== undefined) return found
  }
  throw new Error(`no e-mail came: ${what}`)
}

/** Pages of the sign-in that links open. */
export type Page = 'reset-password' | 'verify-email' | 'accept-invitation' | 'sign-up'

/** The newest link of a page to an address, with another token than `used`. Waits for the e-mail. */
export const mailedLink = (mailbox: Mailbox, email: string, page: Page, used = ''): Promise<URL> =>
  awaitMail(`${page} to ${email}`, async () => {
    const links = (await mailsTo(mailbox, email)).flatMap(
      (mail) => /https?:\/\/[^\s"<>]+#token=[\w-]+/.exec(mail)?.[0] ?? [],
    )
    const link = links.findLast((one) => one.includes(`/${page}#`))
    return link === undefined || link.endsWith(`=${used}`) ? undefined : new URL(link)
  })

export const mailedToken = async (...asked: Parameters<typeof mailedLink>): Promise<string> =>
  (await mailedLink(...asked)).hash.replace('#token=', '')
