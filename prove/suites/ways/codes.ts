/** Codes by mail. */
import { beginForConsole, interactionOf, openBrowser } from '../../../lab/browser.ts'
import { ok, request, type Answer } from '../../../lab/client.ts'
import { fingerprint, refuteNothing } from '../../attack.ts'
import { awaitMail, mailsTo } from '../../mailbox.ts'
import type { Prove } from '../../suite.ts'
import { requireAlike } from '../people/enumeration.ts'
import { anyone, newAddress, newPerson, newSource, type Stage } from '../people/stage.ts'

const ask = (stage: Stage, email: string): Promise<Answer> => anyone(stage, '/auth/email-code', { email })

const give = (url: string, challenge: string, code: string): Promise<Answer> =>
  request(url, 'POST', '/api/v1/auth/login/email-code', {
    body: { challenge, code },
    headers: { 'x-forwarded-for': newSource() },
  })

/** The newest code to an address, another than those before. */
const codeTo = ({ mailbox }: Stage, email: string, used: string[] = []): Promise<string> =>
  awaitMail(`a code to ${email}`, async () => {
    const found = (await mailsTo(mailbox, email)).map((source) => /^(\d{6})\r?$/m.exec(source)?.[1])
    return found.findLast((code) => code !== undefined && !used.includes(code))
  })

const once = async (stage: Stage): Promise<string> => {
  const rounds = stage.short ? 3 : 20
  for (let round = 0; round < rounds; round += 1) {
    const { email } = await newPerson(stage)
    const { challenge } = ok(await ask(stage, email))
    const code = await codeTo(stage, email)
    const uses = Array.from({ length: 6 }, (_, at) =>
      give(stage.urls[at % stage.urls.length] ?? '', challenge, code),
    )
    const won = (await Promise.all(uses)).filter(({ status }) => status === 200).length
    if (won !== 1) throw new Error(`a code opened ${won} sessions`)
    const { status } = await give(stage.urls[0] ?? '', challenge, code)
    if (status === 200) throw new Error('a code counts later')
  }
  return `${rounds} codes, each six times at once at ${stage.urls.length} replicas`
}

const elsewhere = async (stage: Stage): Promise<string> => {
  const [url = ''] = stage.urls
  const { email } = await newPerson(stage)
  const { challenge } = ok(await ask(stage, email))
  const code = await codeTo(stage, email)
  const { challenge: another } = ok(await ask(stage, email))
  const breaches: string[] = []
  if ((await give(url, another, code)).status === 200) breaches.push('a code counts for another challenge')
  const browser = openBrowser(url)
  const id = interactionOf(await beginForConsole(browser, { prompt: 'login' }))
  ok(await browser.act(id, 'identify', { email }))
  ok(await browser.act(id, 'email-code', {}))
  const { data } = await browser.act(id, 'email-code', { code })
  if (data !== null && data?.step !== 'email_code') breaches.push('a code counts in another sign-in')
  if ((await give(url, challenge, code)).status !== 200) breaches.push('a stranger has killed a code')
  refuteNothing(breaches)
  return 'another challenge and another sign-in; both leave the code alive'
}

const guesses = async (stage: Stage): Promise<string> => {
  const { email } = await newPerson(stage)
  const statuses: number[] = []
  const { challenge: spare } = ok(await ask(stage, email))
  const right = await codeTo(stage, email)
  for (let sent = 0; sent < 4; sent += 1) {
    const { challenge } = ok(await ask(stage, email))
    for (let guess = 0; guess < 5; guess += 1) {
      statuses.push((await give(stage.urls[guess % stage.urls.length] ?? '', challenge, 'wrong')).status)
    }
  }
  if (statuses.some((status) => status !== 401)) throw new Error(`wrong codes answer ${statuses.join(' ')}`)
  const after = [(await ask(stage, email)).status, (await give(stage.urls[0] ?? '', spare, right)).status]
  if (after.some((status) => status !== 429)) throw new Error(`after 20 wrong codes: ${after.join(' ')}`)
  return '20 wrong codes from as many sources shut the address'
}

const alike = async (stage: Stage): Promise<string> => {
  const emails = [(await newPerson(stage)).email, stage.home.admin.email, newAddress(), newAddress()]
  const [asked, given]: [string[], string[]] = [[], []]
  for (const email of emails) {
    const answer = await ask(stage, email)
    const { challenge } = ok(answer)
    asked.push(fingerprint({ ...answer, text: '', body: { ...answer.body, data: Object.keys(answer.data) } }))
    given.push(fingerprint(await give(stage.urls[0] ?? '', challenge, '000000')))
  }
  requireAlike('a request for a code', asked)
  requireAlike('a wrong code', given)
  return `${emails.length} addresses, known and not`
}

export const proveCodes = async (stage: Stage, record: Prove): Promise<void> => {
  await record('a code by mail opens one session, at one replica', () => once(stage))
  await record('a code by mail counts where it was asked for alone', () => elsewhere(stage))
  await record('codes of an address are guessed 20 times in an hour at most', () => guesses(stage))
  await record('the way by code tells nobody which addresses have accounts', () => alike(stage))
}
