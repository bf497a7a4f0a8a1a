import { IconCheck, IconMailQuestion, IconX } from '@tabler/icons-react'
import { Signed } from '../../components/status-badge.tsx'
import { useTranslation } from '../../translation.ts'
import type { Attempt } from '@tenantry/client'

const good = { sign: IconCheck, className: 'status-on' }
const bad = { sign: IconX, className: 'status-bad' }

const looks = {
  signed_in: good,
  test_passed: good,
  proof: { sign: IconMailQuestion, className: '' },
  refused: bad,
  test_failed: bad,
}

export const AttemptStatus = ({ outcome }: Pick<Attempt, 'outcome'>) => {
  const { t } = useTranslation()
  return <Signed {...looks[outcome]} text={t(`ssoOutcomes.${outcome}`)} />
}
