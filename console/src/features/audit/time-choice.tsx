import '@mantine/dates/styles.css'
import { Button, Group, Stack } from '@mantine/core'
import { InlineDateTimePicker } from '@mantine/dates'
import dayjs from 'dayjs'
import chinese from 'dayjs/locale/zh-cn'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../format.ts'
import { lastOf, type Range } from './time-range.ts'

interface ChooseProps {
  onChoose: (range: Range) => void
}

interface RangeProps extends ChooseProps {
  range: Range
}

/** Chooses a time range. A part of its own, because calendars are much code for few users. */
export const TimeChoice = ({ range, onChoose }: RangeProps) => (
  // The calendar fills its container, so that needs a width.
  <Stack gap="sm" w={270}>
    <Presets onChoose={onChoose} />
    <Calendar range={range} onChoose={onChoose} />
  </Stack>
)

const Presets = ({ onChoose }: ChooseProps) => {
  const { t } = useTranslation()
  const since = (from: dayjs.Dayjs) => (): void => onChoose({ from: from.toISOString(), to: undefined })
  const now = dayjs()
  const presets = [
    { label: t('audit.lastHour'), choose: since(now.subtract(1, 'hour')) },
    { label: t('audit.today'), choose: since(now.startOf('day')) },
    { label: t('audit.week'), choose: since(now.subtract(7, 'day')) },
    { label: t('audit.thirtyDays'), choose: since(now.subtract(30, 'day')) },
    { label: t('audit.anyTime'), choose: () => onChoose({ from: undefined, to: undefined }) },
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

/** The picker's range: local times, the end included. */
type Draft = [string | null, string | null]

const written = 'YYYY-MM-DD HH:mm:ss'

const draftOf = ({ from, to }: Range): Draft => [
  from === undefined ? null : dayjs(from).format(written),
  to === undefined ? null : dayjs(lastOf(to)).format(written),
]
const rangeOf = ([from, to]: Draft): Range => ({
  from: from === null ? undefined : dayjs(from).toISOString(),
  to: to === null ? undefined : dayjs(to).add(1, 'second').toISOString(),
})

/** A last day chosen without a time counts whole. */
const withWholeDay = ([from, to]: Draft, before: Draft): Draft => [
  from,
  before[1] === null && to !== null ? to.replace('00:00:00', '23:59:59') : to,
]

const Calendar = ({ range, onChoose }: RangeProps) => {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const [draft, setDraft] = useState(() => draftOf(range))
  const timeProps = (side: string) => ({
    hoursInputLabel: `${side}: ${t('audit.hours')}`,
    minutesInputLabel: `${side}: ${t('audit.minutes')}`,
  })
  return (
    <InlineDateTimePicker
      type="range"
      allowSingleDateInRange
      hideOutsideDates
      weekendDays={[]}
      locale={i18n.language === 'zh' ? chinese.name : 'en'}
      value={draft}
      onChange={(next) => setDraft(withWholeDay(next, draft))}
      onSubmit={() => onChoose(rangeOf(draft))}
      maxDate={dayjs().format('YYYY-MM-DD 23:59:59')}
      valueFormat={(moment) => format.moment(dayjs(moment).toISOString())}
      timePickerProps={timeProps(t('audit.from'))}
      endTimePickerProps={timeProps(t('audit.to'))}
      submitButtonProps={{ 'aria-label': t('audit.apply'), title: t('audit.apply') }}
      ariaLabels={{
        previousMonth: t('audit.previousMonth'),
        nextMonth: t('audit.nextMonth'),
        previousYear: t('audit.previousYear'),
        nextYear: t('audit.nextYear'),
        previousDecade: t('audit.previousYears'),
        nextDecade: t('audit.nextYears'),
      }}
    />
  )
}
