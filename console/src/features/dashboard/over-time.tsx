import { SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from '../../translation.ts'
import { defaultPeriod, periods } from './dashboard.search.ts'
import { SignUps } from './dashboard.views.tsx'

const route = getRouteApi('/shell/')

const PeriodControl = ({ days }: { days: number }) => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const choose = (value: string): void => {
    const chosen = periods.find((period) => String(period) === value)
    const period = chosen === defaultPeriod ? undefined : chosen
    void navigate({ search: (search) => ({ ...search, days: period }), replace: true, resetScroll: false })
  }
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('dashboard.period')}
      value={String(days)}
      onChange={choose}
      data={periods.map((count) => ({ value: String(count), label: t('dashboard.days', { count }) }))}
    />
  )
}

export const OverTime = () => {
  const { days = defaultPeriod } = route.useSearch()
  return <SignUps days={days} control={<PeriodControl days={days} />} />
}
