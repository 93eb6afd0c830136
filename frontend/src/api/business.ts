// Calls for operators about the business: its figures, what waits for a person, and the steps that open a shop.
import { keepPreviousData } from '@tanstack/react-query';
import type { BusinessRange } from '@/core/constants.gen';
import { query } from './calls';
import type { Schemas } from './client';

export type BusinessView = Schemas['BusinessView'];
export type BusinessPoint = Schemas['BusinessPoint'];
export type TaskView = Schemas['TaskView'];
export type SetupStepView = Schemas['SetupStepView'];

/** The figures of another range stay visible while the next ones are loading. */
export const businessQuery = (Range: BusinessRange) => ({
  ...query(['business', Range], 'Operator/GetBusiness', { Range }),
  placeholderData: keepPreviousData,
});

// Both change on other screens, from which one comes back.
export const tasksQuery = { ...query(['operator-tasks'], 'Operator/GetTaskList'), staleTime: 0 };
export const setupStepsQuery = { ...query(['setup-steps'], 'Operator/GetSetupStepList'), staleTime: 0 };
