import type { en } from '../en.ts'

/** The nature of settings, and the part that reads them. */
export const settingTexts: (typeof en)['settingTexts'] = {
  deleteGlobal: '所有租户中的程序都将无法再读取它，且其值无法恢复。',
  readByService: '服务本身会读取此设置：',
  readers: '设置是一个键及其值。有专用表单的设置由服务读取，其他设置由您的程序通过 API 读取。',
}
