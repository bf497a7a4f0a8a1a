import { Button, Group, Stack, Text } from '@mantine/core'
import type { Invitation } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../components/copy-text.tsx'

interface ShownLinkProps {
  invitation: Invitation
  onClose: () => void
}

/** The link of an invitation where no e-mail is sent. It is not shown again. */
export const ShownLink = ({ invitation: { email, link }, onClose }: ShownLinkProps) => {
  const { t } = useTranslation()
  return (
    <Stack>
      <Text size="sm" role="status" className="breakable">
        {t('invitations.shown', { email })}
      </Text>
      <CopyText text={link} label={t('invitations.copyLink')} />
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {t('common.close')}
        </Button>
      </Group>
    </Stack>
  )
}
