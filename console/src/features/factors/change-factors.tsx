import type { Factor } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { client } from '../../session/client.ts'
import { FactorDialog, useOutcome } from './factor-dialog.tsx'
import { ProofForm } from './proof-form.tsx'

interface RemoveFactorProps {
  factor: Factor
  onClose: () => void
}

export const RemoveFactor = ({ factor: { id, name }, onClose }: RemoveFactorProps) => {
  const { t } = useTranslation()
  const { codes, finish } = useOutcome(onClose)
  return (
    <FactorDialog title={t('factors.removeOne', { name })} codes={codes} onClose={onClose}>
      <ProofForm
        text={t('factors.removeText')}
        submit={t('factors.remove')}
        color="red.9"
        send={async ({ password }) => {
          await client.factors.remove(id, { password })
          await finish([], t('factors.isRemoved', { name }))
        }}
        onClose={onClose}
      />
    </FactorDialog>
  )
}

export const NewCodes = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const { codes, finish } = useOutcome(onClose)
  return (
    <FactorDialog title={t('factors.newCodes')} codes={codes} onClose={onClose}>
      <ProofForm
        text={t('factors.newCodesText')}
        submit={t('factors.newCodes')}
        send={async ({ password }) => {
          const { recovery_codes: given } = await client.factors.renewRecoveryCodes({ password })
          await finish(given)
        }}
        onClose={onClose}
      />
    </FactorDialog>
  )
}
