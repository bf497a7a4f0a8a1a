import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFileName } from '../../shell/tenants.ts'
import type { Draft, ImportKind } from './drafts.ts'
import type { ImportFile } from './read-file.ts'
import { saveFailed, saveResults } from './result-files.ts'
import type { ImportState } from './use-import.ts'

interface ImportDoneProps {
  file: ImportFile
  kind: ImportKind
  drafts: Draft[]
  state: ImportState
  reasonOf: (draft: Draft) => string
  /** True until the user has saved generated passwords or links. */
  isUnsaved: boolean
  onSaved: () => void
  onAnother: () => void
}

export const ImportDone = (props: ImportDoneProps) => {
  const { kind, drafts, reasonOf, isUnsaved } = props
  const { t } = useTranslation()
  const saving = useMutation({ mutationFn: (save: () => Promise<void>) => save() })
  const results = [...props.state.results.values()]
  const lacking = results.filter((result) => 'id' in result && result.refusal !== '').length
  const failed = drafts.filter((draft) => reasonOf(draft) !== '')
  return (
    <>
      <Group justify="space-between" gap="sm">
        <Stack gap={2} miw={0} flex="1 1 20rem">
          <Text size="sm" fw={500} role="status">
            {t('userImport.done', {
              made: t(kind === 'invite' ? 'userImport.invitedCount' : 'userImport.createdCount', {
                count: drafts.length - failed.length,
              }),
              skipped: t('userImport.skipped', { count: failed.length }),
            })}
          </Text>
          {lacking > 0 && (
            <Text size="sm" c="var(--text-bad)">
              {t('userImport.withoutRoles', { count: lacking })}
            </Text>
          )}
          {isUnsaved && (
            <Text size="sm" c="dimmed">
              {t(kind === 'invite' ? 'invitations.importSave' : 'userImport.savePasswords')}
            </Text>
          )}
        </Stack>
        <Files {...props} failed={failed} onSave={saving.mutate} />
      </Group>
      {saving.error && (
        <Box mt="sm">
          <ErrorPanel error={saving.error} />
        </Box>
      )}
    </>
  )
}

interface FilesProps extends ImportDoneProps {
  failed: Draft[]
  onSave: (save: () => Promise<void>) => void
}

const Files = (props: FilesProps) => {
  const { file, kind, drafts, state, reasonOf, isUnsaved, onSaved, onAnother, failed, onSave } = props
  const { t } = useTranslation()
  const fileName = useFileName()
  const save = async (): Promise<void> => {
    await saveResults({ kind, drafts, results: state.results, reasonOf, fileName })
    onSaved()
  }
  return (
    <Group gap="xs">
      {!isUnsaved && (
        <Button variant="default" onClick={onAnother}>
          {t('userImport.another')}
        </Button>
      )}
      {failed.length > 0 && (
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() => onSave(() => saveFailed(file, failed, { reasonOf, fileName }))}
        >
          {t('userImport.saveFailed')}
        </Button>
      )}
      <Button leftSection={<IconDownload size={16} />} onClick={() => onSave(save)}>
        {t('userImport.saveResults')}
      </Button>
    </Group>
  )
}
