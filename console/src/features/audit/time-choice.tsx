import '@mantine/dates/styles.css'
import { Button, Group, Stack } from '@mantine/core'
import { InlineDateTimePicker } from '@mantine/dates'

import dayjs from 'dayjs'
import chinese from 'dayjs/locale/zh-cn'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { fromZoned, zoned } from '../../components/zoned-time.ts'
import { useFormat, useTimeZone } from '../../format.ts'
import { lastOf, type Range } from './audit.search.ts'

interface ChooseProps {
  onChoose: (range: Range) => void
}

interface RangeProps extends ChooseProps {
  range: Range
}

/** Selects a time range. Loaded separately, because calendars are much code that few users need. */
export const TimeChoice = ({ range, onChoose }: RangeProps) => (
  // The calendar fills its container, so the container has a width.
  <Stack gap="sm" w={270}>
    <Presets onChoose={onChoose} />
    <Calendar range={range} onChoose={onChoose} />
  </Stack>
)

const Presets = ({ onChoose }: ChooseProps) => {
  const { t } = useTranslation()
  const since = (from: dayjs.Dayjs) => (): void => onChoose({ from: from.toISOString(), to: undefined })
  const now = zoned(undefined, useTimeZone())
  const presets = [
    { label: t('auditLog.lastHour'), choose: since(now.subtract(1, 'hour')) },
    { label: t('auditLog.today'), choose: since(now.startOf('day')) },
    { label: t('auditLog.week'), choose: since(now.subtract(7, 'day')) },
    { label: t('auditLog.thirtyDays'), choose: since(now.subtract(30, 'day')) },
    { label: t('auditLog.anyTime'), choose: () => onChoose({ from: undefined, to: undefined }) },
  ]
  return (
    <Group gap={4}>
      {presets.map(({ label, choose }) => (
        <Button key={label} size="compact-sm" variant="default" fw={400} onClick={choose}>
          {label}
        </Button>
      ))}
    </Group>
  )
}

/** The picker's range: times in the chosen time zone, with an inclusive end. */
type Draft = [string | null, string | null]

const written = 'YYYY-MM-DD HH:mm:ss'

const draftOf = ({ from, to }: Range, zone?: string): Draft => [
  from === undefined ? null : zoned(from, zone).format(written),
  to === undefined ? null : zoned(lastOf(to), zone).format(written),
]
const rangeOf = ([from, to]: Draft, zone?: string): Range => ({
  from: from === null ? undefined : fromZoned(from, zone).toISOString(),
  to: to === null ? undefined : fromZoned(to, zone).add(1, 'second').toISOString(),
})

/** A last day without a time includes the whole day. */
const withWholeDay = ([from, to]: Draft, before: Draft): Draft => [
  from,
  before[1] === null && to !== null ? to.replace('00:00:00', '23:59:59') : to,
]

const Calendar = ({ range, onChoose }: RangeProps) => {
  const { t, language } = useTranslation()
  const format = useFormat()
  const zone = useTimeZone()
  const [draft, setDraft] = useState(() => draftOf(range, zone))
  const timeProps = (side: string) => ({
    hoursInputLabel: `${side}: ${t('auditLog.hours')}`,
    minutesInputLabel: `${side}: ${t('auditLog.minutes')}`,
  })
  return (
    <InlineDateTimePicker
      type="range"
      allowSingleDateInRange
      hideOutsideDates
      weekendDays={[]}
      locale={language === 'zh' ? chinese.name : 'en'}
      value={draft}
      onChange={(next) => setDraft(withWholeDay(next, draft))}
      onSubmit={() => onChoose(rangeOf(draft, zone))}
      maxDate={zoned(undefined, zone).format('YYYY-MM-DD 23:59:59')}
      valueFormat={(moment) => format.moment(fromZoned(dayjs(moment).format(written), zone).toISOString())}
      timePickerProps={timeProps(t('auditLog.from'))}
      endTimePickerProps={timeProps(t('auditLog.to'))}
      submitButtonProps={{ 'aria-label': t('auditLog.apply'), title: t('auditLog.apply') }}
      ariaLabels={{
        previousMonth: t('auditLog.previousMonth'),
        nextMonth: t('auditLog.nextMonth'),
        previousYear: t('auditLog.previousYear'),
        nextYear: t('auditLog.nextYear'),
        previousDecade: t('auditLog.previousYears'),
        nextDecade: t('auditLog.nextYears'),
      }}
    />
  )
}
