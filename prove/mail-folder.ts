import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Target } from './target.ts'

const waitMs = 20_000

/** Whether the proof can read the e-mails of the service: the embedded database writes them into files. */
export const readsMail = ({ kind }: Pick<Target, 'kind'>): boolean => kind === 'embedded'

/** The token of the newest link to an address, another one than `used`. Waits until the service has written the e-mail. */
export const mailedToken = async ({ env }: Target, email: string, used?: string): Promise<string> => {
  const folder = join(env?.['TENANTRY_DATA_DIR'] ?? '', 'mail')
  for (const deadline = Date.now() + waitMs; Date.now() < deadline; await sleep(100)) {
    const names = await readdir(folder).catch((): string[] => [])
    const mails = await Promise.all(
      names.toSorted().map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
    )
    const unfolded = mails.map((mail) => mail.replaceAll(/\r?\n[ \t]+/g, ' '))
    const found = unfolded.findLast((mail) => mail.includes(email) && mail.includes('#token='))
    const token = /X-Tenantry-Link:\s*\S*#token=([\w-]+)/i.exec(found ?? '')?.[1]
    if (token !== undefined && token !== used) return token
  }
  throw new Error(`no e-mail with a link to ${email} was written`)
}
