import { Select, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useTimeZone } from '../format.ts'
import { useTranslation } from '../translation.ts'
import { fromZoned } from './zoned-time.ts'

const dayMs = 86_400_000

/** The end of a key or a role: after some days, on a chosen day, or never. */
export type Lifetime = '1' | '7' | '30' | '90' | '365' | 'date' | 'never'

/** The fields have the names of the API, so that its refusals appear beside them. */
export type EndValues = { expires_at: Lifetime; day: string }

const lastMoment = (day: string, zone: string | undefined) => fromZoned(`${day} 23:59:59`, zone)

/**
 * The end that the fields say: after some days, or at the end of a day in the zone (`2026-01-31`). Undefined if there is
 * none.
 */
export const endOf = (
  { expires_at: lifetime, day }: EndValues,
  zone: string | undefined,
): string | undefined => {
  if (lifetime === 'never') return undefined
  if (lifetime === 'date') return lastMoment(day, zone).toISOString()
  return new Date(Date.now() + Number(lifetime) * dayMs).toISOString()
}

/** True if the day ends in the future. False for an unfinished date. */
const isFutureDay = (day: string, zone: string | undefined): boolean =>
  day !== '' && lastMoment(day, zone).valueOf() > Date.now()

export const useDayCheck = () => {
  const { t } = useTranslation()
  const zone = useTimeZone()
  return (day: string, { expires_at: lifetime }: EndValues): string | null =>
    lifetime === 'date' && !isFutureDay(day, zone) ? t('ends.dayWrong') : null
}

/** A form with nothing but the end. */
export const useEndForm = () =>
  useForm<EndValues>({
    initialValues: { expires_at: 'never', day: '' },
    validate: { day: useDayCheck() },
  })

interface EndFieldsProps<Values extends EndValues> {
  form: UseFormReturnType<Values>
  label: string
  lifetimes: readonly Lifetime[]
  /** The text of the choice without an end. */
  never: string
  /** Shown while the choice has no end. */
  neverHint?: string
}

export const EndFields = <Values extends EndValues>({
  form,
  label,
  lifetimes,
  never,
  neverHint,
}: EndFieldsProps<Values>) => {
  const { t } = useTranslation()
  const { expires_at: lifetime } = form.values
  const textOf = (one: Lifetime): string => {
    if (one === 'never') return never
    return one === 'date' ? t('ends.onDay') : t('ends.days', { count: Number(one) })
  }
  return (
    <>
      <Select
        label={label}
        allowDeselect={false}
        data={lifetimes.map((one) => ({ value: one, label: textOf(one) }))}
        description={lifetime === 'never' ? neverHint : undefined}
        {...form.getInputProps('expires_at')}
      />
      {lifetime === 'date' && (
        <TextInput type="date" label={t('ends.lastDay')} required {...form.getInputProps('day')} />
      )}
    </>
  )
}
