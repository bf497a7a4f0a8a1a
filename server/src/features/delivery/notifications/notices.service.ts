/** Notices to several users, each in the user's language. */
import type { TransactionCtx } from '../../../context.ts'
import type { NoticeKind } from '../../../mail/kinds.ts'
import { builtInLanguageFor, type Language } from '../../../mail/language.ts'
import { texts as mailTexts } from '../../../mail/texts.ts'
import { fill, momentOf, type Facts, type Values } from '../../../mail/values.ts'
import { queueNotice } from '../../accounts/mail/mail.service.ts'
import type { Notification } from './notifications.schemas.ts'
import { notify, type About } from './notifications.service.ts'
import type { Recipient } from './recipients.service.ts'

export interface NoticeText {
  title: string
  content: string
}

interface Notice {
  type: Notification['type']
  facts: Values
  about?: About | undefined
}

/** Notifies users of the tenant in scope. `facts` fill the content. */
export const notifyEach = async (
  ctx: TransactionCtx,
  recipients: Recipient[],
  texts: Record<Language, NoticeText>,
  { type, facts, about }: Notice,
): Promise<void> => {
  for (const { id, language } of recipients) {
    const { title, content } = texts[builtInLanguageFor(language ?? '')]
    const text = { title, content: fill(content, facts) }
    await notify(ctx, { user_id: id, ...text, type, sender: '', about })
  }
}

interface MailedNotice {
  /** The number of paragraphs of the e-mail that the notification has. */
  paragraphs: number
  facts: Omit<Facts, 'at'>
  /** The values of the notification, where they are others than the facts. */
  shown?: Values
  about?: About
}

const beginningOf = (text: string, paragraphs: number): string =>
  text.split('\n\n').slice(0, paragraphs).join(' ')

/** Warns users of the tenant in scope by notification, and by e-mail of this kind. */
export const notifyAndMail = async (
  ctx: TransactionCtx,
  recipients: Recipient[],
  kind: NoticeKind,
  { paragraphs, facts, shown = facts, about }: MailedNotice,
): Promise<void> => {
  const values = { at: momentOf(ctx.parts.now()), ...shown }
  for (const { id, account_id: accountId, email, language } of recipients) {
    const { subject, text } = mailTexts[builtInLanguageFor(language ?? '')][kind]
    const content = fill(beginningOf(text, paragraphs), values)
    const notice = { title: subject, content, type: 'warning', about } as const
    await notify(ctx, { user_id: id, ...notice, sender: '' })
    queueNotice(ctx, kind, { accountId, email }, facts)
  }
}
