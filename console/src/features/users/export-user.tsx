import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { User } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { saveFile } from '../../components/save-file.ts'
import { useNotify } from '../../components/use-notify.ts'
import { nameOf } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useFileName } from '../../shell/use-file-name.ts'

export const ExportUser = ({ user }: { user: User }) => {
  const { can } = useMe()
  return can('audit:read') ? <ExportButton user={user} /> : null
}

const ExportButton = ({ user }: { user: User }) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const fileName = useFileName()
  const exporting = useMutation({
    mutationFn: async () => {
      const file = await api.users.export(user.id)
      saveFile([await file.blob()], `${fileName(`user-${user.id}`)}.json`, 'application/json')
    },
    onSuccess: () => notify(t('users.exportedOne', { name: nameOf(user) })),
  })
  return (
    <>
      <Button variant="default" loading={exporting.isPending} onClick={() => exporting.mutate()}>
        {t('users.exportOne')}
      </Button>
      {exporting.error && (
        <Dialog opened onClose={exporting.reset} title={t('users.exportOne')}>
          <ErrorPanel error={exporting.error} />
        </Dialog>
      )}
    </>
  )
}
