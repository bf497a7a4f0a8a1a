import { Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReviewItem } from '@tenantry/client'
import { useFactorRefusal } from '../../components/factor-refusal.tsx'
import { FieldsDialog } from '../../components/form-dialog.tsx'
import { useList } from '../../components/use-list.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useFormat } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { isUndecided, useIsOwn } from './reviews.queries.ts'
import { outcomes, type Outcome } from './reviews.search.ts'
import { useRenew } from '../../components/use-renew.ts'

/** The most items of one request. A revocation is a transaction of its own, and takes longer. */
const togetherMax = { keep: 200, revoke: 50 }

interface DecideProps {
  reviewId: number
  items: ReviewItem[]
  decision: 'keep' | 'revoke'
  onClose: () => void
  onDone: () => void
}

/** The items about others, in parts of a request each. */
const partsOf = (items: ReviewItem[], size: number): ReviewItem[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  )

/** The outcomes with their numbers, such as "Revoked: 3, Refused: 1". */
const useSummary = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const listOf = useList()
  return (made: Outcome[]): string => {
    const counted = outcomes.map(
      (outcome) => [outcome, made.filter((one) => one === outcome).length] as const,
    )
    return listOf(
      counted
        .filter(([, count]) => count > 0)
        .map(([outcome, count]) => `${t(`reviewOutcomes.${outcome}`)}: ${format.count(count)}`),
    )
  }
}

const useDeciding = ({ reviewId, items, decision, onClose, onDone }: DecideProps) => {
  const { api } = useScope()
  const notify = useNotify()
  const renew = useRenew()
  const summary = useSummary()
  const form = useForm({ initialValues: { comment: '' } })
  const sending = useSubmit(form, async ({ comment }) => {
    const made: Outcome[] = []
    try {
      for (const part of partsOf(items, togetherMax[decision])) {
        const item_ids = part.map(({ id }) => id)
        const decided = await api.reviews.decide(reviewId, { item_ids, decision, comment })
        made.push(...decided.map(({ outcome }) => outcome))
      }
    } finally {
      await renew()
    }
    onDone()
    onClose()
    notify(summary(made))
  })
  return { form, sending }
}

/** Asks for a comment, and decides about the undecided items of others. */
export const DecideDialog = ({ items, ...props }: DecideProps) => {
  const { t } = useTranslation()
  const isOwn = useIsOwn()
  const undecided = items.filter(isUndecided)
  const others = undecided.filter((item) => !isOwn(item))
  const { form, sending } = useDeciding({ ...props, items: others })
  const { decision, onClose } = props
  const count = others.length
  return (
    <FieldsDialog
      title={t(decision === 'keep' ? 'reviews.keepTitle' : 'reviews.revokeTitle', { count })}
      submit={t(decision === 'keep' ? 'reviews.keep' : 'reviews.revoke')}
      color={decision === 'keep' ? undefined : 'red.9'}
      isReady={count > 0}
      refusal={useFactorRefusal()}
      {...{ form, sending, onClose }}
    >
      <Text size="sm">{t(decision === 'keep' ? 'reviews.keepText' : 'reviews.revokeText')}</Text>
      {count < undecided.length && (
        <Text size="sm" c="dimmed">
          {t('reviews.ownLeft', { count: undecided.length - count })}
        </Text>
      )}
      <Textarea
        label={t('reviews.comment')}
        autosize
        minRows={2}
        maxLength={500}
        data-autofocus
        {...form.getInputProps('comment')}
      />
    </FieldsDialog>
  )
}
