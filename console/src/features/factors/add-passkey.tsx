import { useTranslation } from '../../translation.ts'
import { client } from '../../session/client.ts'
import { FactorDialog, useOutcome } from './factor-dialog.tsx'
import { createPasskey } from '../../session/passkey.ts'
import { ProofForm } from './proof-form.tsx'

export const AddPasskey = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const { codes, finish } = useOutcome(onClose)
  return (
    <FactorDialog title={t('factors.addPasskey')} codes={codes} onClose={onClose}>
      <ProofForm
        text={t('factors.addPasskeyText')}
        submit={t('factors.next')}
        name={t('factors.passkeyDevice')}
        send={async ({ name, password }) => {
          const response = await createPasskey(await client.factors.beginPasskey({ password }))
          const { recovery_codes: given } = await client.factors.addPasskey({ name, response })
          await finish(given, t('factors.isAdded', { name }))
        }}
        onClose={onClose}
      />
    </FactorDialog>
  )
}
