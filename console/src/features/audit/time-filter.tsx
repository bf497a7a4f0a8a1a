import { Button, Popover, Skeleton } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useFormat } from '../../format.ts'
import { lastOf, type Range } from './time-range.ts'

const TimeChoice = lazyPart(
  async () => (await import('./time-choice.tsx')).TimeChoice,
  <Skeleton height={400} width={270} />,
)

interface TimeFilterProps {
  range: Range
  onChange: (range: Range) => void
}

const useRangeText = ({ from, to }: Range): string => {
  const { t } = useTranslation()
  const format = useFormat()
  const first = from === undefined ? '' : format.moment(from)
  const last = to === undefined ? '' : format.moment(lastOf(to))
  if (first && last) return `${first} – ${last}`
  if (first) return t('audit.since', { moment: first })
  return last ? t('audit.until', { moment: last }) : t('audit.anyTime')
}

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
        <TimeChoice range={range} onChoose={choose} />
      </Popover.Dropdown>
    </Popover>
  )
}
