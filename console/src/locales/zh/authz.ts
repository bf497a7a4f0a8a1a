import type { en } from '../en.ts'

export const authz: (typeof en)['authz'] = {
  affected_one: '{{said}} 个用户受影响：',
  affected_other: '{{said}} 个用户受影响：',
  effect: '对用户的影响',
  gains: '获得 {{names}}',
  looking: '正在查看此更改的影响…',
  loses: '失去 {{names}}',
  more_one: '另有 {{said}} 个用户',
  more_other: '另有 {{said}} 个用户',
  nobody: '没有用户受影响。',
  notKnown: '影响未知。您仍可继续。',
  notPermitted: '查看对用户的影响需要 user:read 和 role:read 权限。您仍可继续。',
  othersGoOn: '其他更改仍会执行。排除此项后才能得知其影响。',
  ownLoss: '您自己将失去以下权限，且可能无法恢复：',
  refused: '此操作将被拒绝',
  refusedOne: '对 {{name}} 的操作将被拒绝',
  tooMany: '服务一次最多查看 20 项更改，此处更多。您可以继续，或减少选择以查看对用户的影响。',
  tooSlow: '服务未能在 2 秒内得出结果：涉及的用户过多。您仍可继续。',
  twice: '您正在同时查看另一项更改。请稍后重试，或直接继续。',
  unknown: '影响未知',
}
