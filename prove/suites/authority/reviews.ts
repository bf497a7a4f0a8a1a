/** Access reviews: who decides, and two decisions at once. */
import { newUser, ok, unique, type Answer, type Session } from '../../../lab/client.ts'
import { assign, refuteNothing } from '../../attack.ts'
import type { Prove } from '../../suite.ts'
import { unlessCode, type Stage } from '../people/stage.ts'
import { addAdmin, codes, inMinutes, newCompany, newRole, type Company } from './stage.ts'

interface Item {
  id: number
  subject: { id: number }
  what: { id: number }
  outcome: string
}

interface Review {
  company: Company
  reviewers: Session[]
  id: number
}

const newReview = async (company: Company, reviewers: Session[]): Promise<Review> => {
  const body = {
    name: unique('review'),
    kinds: ['roles'],
    reviewer_ids: reviewers.map(({ userId }) => userId),
    due_at: inMinutes(7 * 24 * 60),
  }
  const { id } = ok(await company.admin.call('POST', '/reviews', body))
  return { company, reviewers, id }
}

const itemsOf = async ({ company, id }: Review): Promise<Item[]> =>
  ok(await company.admin.call('GET', `/reviews/${id}/items?page_size=200`)).items

const decide = (by: Session, { id }: Review, items: Item[], decision: string): Promise<Answer> =>
  by.call('POST', `/reviews/${id}/decide`, { item_ids: items.map((item) => item.id), decision })

/** A reviewer tries to decide about the own roles, alone and among those of others. */
const triesOf = async (reviewer: Session, review: Review, items: Item[]): Promise<string[]> => {
  const own = items.filter(({ subject }) => subject.id === reviewer.userId)
  if (own.length === 0) return ['a reviewer has no item']
  const breaches: string[] = []
  for (const decision of ['keep', 'revoke']) {
    for (const tried of [own, items]) {
      const answer = await decide(reviewer, review, tried, decision)
      breaches.push(...unlessCode(`${decision} of the own roles at ${reviewer.base}`, answer, codes.ownItem))
    }
  }
  return breaches
}

const themselves = async (stage: Stage): Promise<string> => {
  const company = await newCompany(stage)
  const reviewers = [company.admin, await addAdmin(stage, company.id)]
  const review = await newReview(company, reviewers)
  const items = await itemsOf(review)
  const breaches: string[] = []
  for (const url of stage.urls) {
    for (const reviewer of reviewers) breaches.push(...(await triesOf(reviewer.at(url), review, items)))
  }
  const isDecided = (await itemsOf(review)).some(({ outcome }) => outcome !== 'pending')
  if (isDecided) breaches.push('an item is decided')
  refuteNothing(breaches)
  return `${reviewers.length} reviewers, by keeping and revoking, at ${stage.urls.length} replicas`
}

/** Two reviewers decide about an item at once. Returns the outcomes that they are told, and whether the role is held. */
const clash = async (
  stage: Stage,
  review: Review,
  item: Item,
): Promise<{ told: string[]; isHeld: boolean }> => {
  const [first, second] = review.reviewers
  if (!first || !second) throw new Error('a review of two has one reviewer')
  const answers = await Promise.all([
    decide(first, review, [item], 'keep'),
    decide(second.at(stage.urls.at(-1) ?? ''), review, [item], 'revoke'),
  ])
  const path = `/rbac/users/${item.subject.id}/roles`
  const roles = ok(await review.company.admin.call('GET', path)) as { id: number }[]
  const told = answers.map((answer): string => ok(answer)[0].outcome)
  return { told, isHeld: roles.some(({ id }) => id === item.what.id) }
}

const atOnce = async (stage: Stage): Promise<string> => {
  const rounds = stage.short ? 4 : 20
  const company = await newCompany(stage)
  const reviewers = [company.admin, await addAdmin(stage, company.id)]
  const role = await newRole(stage, company.id, ['user:read'])
  for (let n = 0; n < rounds; n += 1) {
    await assign(stage.root, company.id, (await newUser(stage.root, company.id)).userId, role)
  }
  const review = await newReview(company, reviewers)
  const breaches: string[] = []
  let kept = 0
  for (const item of (await itemsOf(review)).filter(({ what }) => what.id === role)) {
    const { told, isHeld } = await clash(stage, review, item)
    if (isHeld) kept += 1
    const wanted = isHeld ? 'kept' : 'revoked'
    const wrong = told.filter((one) => one !== wanted)
    breaches.push(...wrong.map((one) => `a role that is ${wanted} is told as ${one}`))
  }
  refuteNothing(breaches)
  return `${rounds} items, each decided twice at once; ${kept} kept and ${rounds - kept} revoked`
}

export const proveReviews = async (stage: Stage, record: Prove): Promise<void> => {
  await record('nobody decides in a review about themselves', () => themselves(stage))
  await record('of two decisions at once in a review one counts', () => atOnce(stage))
}
