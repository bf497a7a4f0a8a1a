import { FactList } from '../../components/fact-list.tsx'
import { useTranslation } from '../../translation.ts'

/** Settings as text, for callers who cannot change them here. */
export const Readings = ({ of }: { of: [label: string, value: string | boolean][] }) => {
  const { t } = useTranslation()
  return (
    <FactList
      facts={of.map(([label, value]) => [
        label,
        typeof value === 'string' ? value : t(value ? 'settings.on' : 'settings.off'),
      ])}
    />
  )
}
