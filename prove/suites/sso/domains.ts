import { ok, unique, type Answer, type Session } from '../../../lab/client.ts'
import { refuteNothing } from '../../attack.ts'
import type { Prove } from '../../suite.ts'
import type { Home, Stage } from './stage.ts'

const domainOfAnother = 40961

interface Claim {
  id: number
  by: Session
}

/** Both tenants have their records at the one name in DNS. */
const claim = async ({ names, home, foreign }: Stage, domain: string): Promise<[Claim, Claim]> => {
  const claimBy = async ({ admin: by }: Home): Promise<Claim> => {
    const { id, record_name: name, record_value: value } = ok(await by.call('POST', '/domains', { domain }))
    names.texts[name] = [...(names.texts[name] ?? []), [value]]
    return { id, by }
  }
  return [await claimBy(home), await claimBy(foreign)]
}

const verify = ({ id, by }: Claim, url = by.base): Promise<Answer> =>
  by.at(url).call('POST', `/domains/${id}/verify`)

const holds = async ({ id, by }: Claim): Promise<boolean> =>
  ok(await by.call('GET', '/domains')).some(
    (one: { id: number; status: string }) => one.id === id && one.status === 'verified',
  )

/** The breach of an answer that does not name the owner of the domain. */
const unlessRight = (isOwner: boolean, { status, body, text }: Answer): string[] => {
  const isRight = isOwner ? status === 200 : body?.code === domainOfAnother
  return isRight ? [] : [`${isOwner ? 'the owner' : 'the other one'} gets ${text.slice(0, 80)}`]
}

/** A deleted domain is free at once. */
const passOn = async (from: Claim, to: Claim): Promise<string[]> => {
  ok(await from.by.call('DELETE', `/domains/${from.id}`))
  const breaches = unlessRight(true, await verify(to))
  ok(await to.by.call('DELETE', `/domains/${to.id}`))
  return breaches
}

/** Each tenant asks twice at once at every replica. Returns the breaches. */
const raceOnce = async (stage: Stage): Promise<string[]> => {
  const [one, other] = await claim(stage, `${unique('d')}.example.com`)
  const urls = [...stage.urls, ...stage.urls]
  const [answers, others] = await Promise.all(
    [one, other].map((by) => Promise.all(urls.map((url) => verify(by, url)))),
  )
  const isOwner = await holds(one)
  if (isOwner === (await holds(other))) return [isOwner ? 'two tenants have a domain' : 'no tenant has it']
  return [
    ...(answers ?? []).flatMap((answer) => unlessRight(isOwner, answer)),
    ...(others ?? []).flatMap((answer) => unlessRight(!isOwner, answer)),
    ...(isOwner ? await passOn(one, other) : await passOn(other, one)),
  ]
}

const proveRace = async (stage: Stage): Promise<string> => {
  const rounds = stage.short ? 5 : 25
  const breaches: string[] = []
  for (let round = 0; round < rounds; round += 1) breaches.push(...(await raceOnce(stage)))
  refuteNothing(breaches)
  return `${rounds} domains, each proved by two tenants at once at ${stage.urls.length} replicas`
}

export const proveDomains = (stage: Stage, prove: Prove): Promise<void> =>
  prove('a domain that two tenants prove at once belongs to one of them', () => proveRace(stage))
