import { Button, Group, Popover, Skeleton, Stack } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import dayjs from 'dayjs'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../format.ts'
import { lastOf, type Range } from './time-range.ts'

const TimeCalendar = lazy(async () => ({ default: (await import('./time-calendar.tsx')).TimeCalendar }))

interface TimeFilterProps {
  range: Range
  onChange: (range: Range) => void
}

const useRangeText = ({ from, to }: Range): string => {
  const { t } = useTranslation()
  const format = useFormat()
  const first = from === undefined ? '' : format.moment(from)
  const last = to === undefined ? '' : format.moment(lastOf(to).toISOString())
  if (first && last) return `${first} – ${last}`
  if (first) return t('audit.since', { moment: first })
  return last ? t('audit.until', { moment: last }) : t('audit.anyTime')
}

/** From when until when: at once by a word, or by days and times. */
export const TimeFilter = ({ range, onChange }: TimeFilterProps) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const text = useRangeText(range)
  const choose = (chosen: Range): void => {
    setOpen(false)
    onChange(chosen)
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          fw={400}
          leftSection={<IconCalendar size={16} stroke={1.75} />}
          aria-label={`${t('audit.time')}: ${text}`}
          onClick={() => setOpen(!isOpen)}
        >
          {text}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Presets onChoose={choose} />
          <Suspense fallback={<Skeleton height={330} width={270} />}>
            <TimeCalendar range={range} onChoose={choose} />
          </Suspense>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

interface ChooseProps {
  onChoose: (range: Range) => void
}

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
    <Group gap={4} maw={270}>
      {presets.map(({ label, choose }) => (
        <Button key={label} size="compact-sm" variant="default" fw={400} onClick={choose}>
          {label}
        </Button>
      ))}
    </Group>
  )
}
