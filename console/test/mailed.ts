/** The e-mails of the service under test, sent into files. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parts, service } from '../../server/test/harness.ts'
import { fileMailer, sendDueMails } from '../../server/test/mail-queue.ts'
import { mailFolderOf } from '../../server/src/mail/mail-folder.ts'

/** Sends the e-mails that are due. Gives those to an address, the oldest first. */
export const mailsTo = async (email: string): Promise<string[]> => {
  await sendDueMails({ ...parts, mailer: fileMailer() })
  const folder = mailFolderOf(parts.config.dataDir)
  const mails = readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  return mails.filter((mail) => mail.includes(`To: ${email}`))
}

/** The newest link to an address. The service under test listens at another port than its links name. */
export const linkTo = async (email: string): Promise<string> => {
  const links = (await mailsTo(email)).flatMap((mail) => /^X-Tenantry-Link:\s+(\S+)/m.exec(mail)?.[1] ?? [])
  const { pathname, hash } = new URL(links.at(-1) ?? '')
  return `${service.url}${pathname}${hash}`
}
