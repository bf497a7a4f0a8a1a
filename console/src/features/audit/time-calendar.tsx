import '@mantine/dates/styles.css'
import { InlineDateTimePicker } from '@mantine/dates'
import dayjs from 'dayjs'
import chinese from 'dayjs/locale/zh-cn'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../format.ts'
import { draftOf, rangeOf, withWholeDay, type Range } from './time-range.ts'

interface TimeCalendarProps {
  range: Range
  onChoose: (range: Range) => void
}

/** Days from a calendar, with their times. */
export const TimeCalendar = ({ range, onChoose }: TimeCalendarProps) => {
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
        monthLevelControl: t('audit.month'),
        yearLevelControl: t('audit.year'),
      }}
    />
  )
}
