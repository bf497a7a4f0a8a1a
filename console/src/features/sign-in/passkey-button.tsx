import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconFingerprint } from '@tabler/icons-react'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { canUsePasskeys } from '../../session/passkey.ts'

interface PasskeyButtonProps {
  signIn: () => Promise<void>
  autoFocus?: boolean
}

/** Asks the browser for a passkey, and signs in with it; absent where the browser has none. */
export const PasskeyButton = ({ signIn, autoFocus = false }: PasskeyButtonProps) => {
  const { t } = useTranslation()
  const asking = useMutation({ mutationFn: signIn })
  if (!canUsePasskeys()) return null
  return (
    <>
      {asking.error && <ErrorPanel error={asking.error} />}
      <Button
        variant="default"
        fullWidth
        autoFocus={autoFocus}
        leftSection={<IconFingerprint size={16} />}
        loading={asking.isPending}
        onClick={() => asking.mutate()}
      >
        {t('factors.passkeyUse')}
      </Button>
    </>
  )
}
