import type { Language } from '../../../mail/language.ts'
import type { TransactionCtx } from '../../../context.ts'
import { notifyEach, type NoticeText } from '../../delivery/notifications/notices.service.ts'
import { listUsers } from '../../delivery/notifications/recipients.service.ts'

const texts: Record<Language, NoticeText> = {
  en: {
    title: 'You’re a reviewer in an access review',
    content: 'Decide on the entries of the review {{review}} by {{day}} (UTC), under Access reviews.',
  },
  zh: {
    title: '您需要在一次访问审查中作出决定',
    content: '审查 {{review}} 等待您的决定，截止 {{day}}（UTC）。请在“访问审查”中查看。',
  },
}

/** Notifies the reviewers of a new review, apart from the caller. */
export const notifyReviewers = async (
  ctx: TransactionCtx,
  {
    reviewId,
    name,
    reviewerIds,
    dueAt,
  }: { reviewId: number; name: string; reviewerIds: number[]; dueAt: Date },
): Promise<void> => {
  const { actor, tenantId } = ctx
  const others = reviewerIds.filter((id) => id !== actor.userId || tenantId !== actor.tenantId)
  const facts = { review: name, day: dueAt.toISOString().slice(0, 10) }
  const about = { resource: 'review', id: reviewId }
  await notifyEach(ctx, await listUsers(ctx, others), texts, { type: 'info', facts, about })
}
