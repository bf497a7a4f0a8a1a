import { Fact, Facts } from '../../components/facts.tsx'
import { useTranslation } from '../../translation.ts'

/** Settings as text, for callers who cannot change them here. */
export const Readings = ({ of }: { of: [label: string, value: string | boolean][] }) => {
  const { t } = useTranslation()
  return (
    <Facts>
      {of.map(([label, value]) => (
        <Fact key={label} label={label}>
          {typeof value === 'string' ? value : t(value ? 'settings.on' : 'settings.off')}
        </Fact>
      ))}
    </Facts>
  )
}
