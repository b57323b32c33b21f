package org.trainyard.experiments.truth;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Jobs of 14 users in 4 accounts: each has a few kinds of job, works by day and less at weekends, and has busy days.
 */
final class OperatorsJobs {
    private static final List<String> ACCOUNTS = List.of("vision", "nlp", "bio", "robots");
    private static final int[] WIDTHS = {1, 1, 1, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8, 16, 32};
    private static final long[] LIMITS = {1, 2, 4, 8, 12, 24, 48, 72};
    private static final int USERS = 14;
    private static final int DAYS_AFTER = 10;
    private static final long HOUR = 3600;
    private static final int FIRST_NUMBER = 410_000;

    /** A kind of job of one user. */
    private record Kind(String name, String partition, String qos, int gpus, boolean typed, double hours) {}

    private record Drawn(
            long submit, int user, Kind kind, int tasks, List<Double> hours, boolean fails, double cancel) {}

    private final OperatorsSettings settings;
    private final SplittableRandom random;

    OperatorsJobs(OperatorsSettings settings) {
        this.settings = settings;
        random = new SplittableRandom(settings.seed());
    }

    /** All jobs in order of submission. */
    List<TrueJob> all() {
        List<List<Kind>> kinds = new ArrayList<>();
        for (int user = 0; user < USERS; user++) {
            kinds.add(kinds(user));
        }
        int days = (int) Math.ceil(settings.days()) + DAYS_AFTER;
        List<Drawn> drawn = new ArrayList<>();
        for (int day = 0; day < days; day++) {
            day(day, kinds, drawn);
        }
        drawn.sort((a, b) -> Long.compare(a.submit, b.submit));
        double a100 = scale(drawn, false, settings.loadA100(), days);
        double h100 = scale(drawn, true, settings.loadH100(), days);
        List<TrueJob> jobs = new ArrayList<>();
        int number = FIRST_NUMBER;
        for (Drawn one : drawn) {
            number = add(one, one.kind.partition.equals("h100") ? h100 : a100, number, jobs);
        }
        return jobs;
    }

    /** All jobs in their order, each submitted some of ten seconds later. */
    List<TrueJob> shifted(long by) {
        SplittableRandom seconds = new SplittableRandom(by);
        List<TrueJob> shifted = new ArrayList<>();
        long last = 0;
        for (TrueJob job : all()) {
            last = Math.max(last, job.submit + seconds.nextInt(10));
            shifted.add(job.submittedAt(last));
        }
        return shifted;
    }

    private List<Kind> kinds(int user) {
        List<Kind> kinds = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            boolean isDebug = i == 4;
            boolean isH100 = !isDebug && random.nextInt(3) == 0;
            int servers = isH100 ? settings.loadH100() : settings.loadA100();
            int gpus = isDebug ? 1 + random.nextInt(2) : Math.min(WIDTHS[random.nextInt(WIDTHS.length)], 2 * servers);
            String qos = isDebug
                    ? "debug"
                    : List.of("normal", "normal", "normal", "high", "low").get(random.nextInt(5));
            kinds.add(new Kind(
                    List.of("train", "tune", "eval", "sweep", "test").get(i) + user,
                    isDebug ? "debug" : isH100 ? "h100" : "gpu",
                    qos,
                    gpus,
                    random.nextBoolean(),
                    isDebug ? 0.1 : 2 * Math.exp(0.8 * normal())));
        }
        return kinds;
    }

    private void day(int day, List<List<Kind>> kinds, List<Drawn> drawn) {
        boolean isWeekend = (day + 2) % 7 >= 5;
        double[] busy = new double[USERS];
        double all = 0;
        for (int user = 0; user < USERS; user++) {
            busy[user] = Math.exp(0.8 * normal());
            all += busy[user];
        }
        int count = (int) Math.round(settings.jobsPerDay() * (isWeekend ? 0.45 : 1.2) * Math.exp(0.15 * normal()));
        for (int made = 0; made < count; ) {
            double which = random.nextDouble() * all;
            int user = 0;
            while (user < USERS - 1 && which >= busy[user]) {
                which -= busy[user++];
            }
            Kind kind = chosen(kinds.get(user));
            double hour = random.nextInt(4) == 0 ? 24 * random.nextDouble() : 14 + 3 * normal();
            long submit =
                    settings.startSeconds() + day * 24L * HOUR + Math.round(HOUR * Math.max(0, Math.min(23.99, hour)));
            int tasks = kind.gpus <= 2 && random.nextInt(12) == 0 ? 4 + random.nextInt(9) : 1;
            List<Double> hours = new ArrayList<>();
            for (int task = 0; task < tasks; task++) {
                hours.add(kind.hours * Math.exp(0.6 * normal()));
            }
            boolean fails = random.nextInt(14) == 0;
            double cancel = random.nextInt(15) == 0 ? -Math.log(random.nextDouble()) * 5 : -1;
            drawn.add(new Drawn(submit, user, kind, tasks, hours, fails, cancel));
            made += tasks;
        }
    }

    /** A kind: wide ones are rarer, and one of ten is for debugging. */
    private Kind chosen(List<Kind> kinds) {
        if (random.nextInt(10) == 0) {
            return kinds.get(4);
        }
        Kind kind = kinds.get(random.nextInt(4));
        while (random.nextDouble() > 1 / Math.sqrt(kind.gpus)) {
            kind = kinds.get(random.nextInt(4));
        }
        return kind;
    }

    /** The factor by which hours are longer, for the load. */
    private double scale(List<Drawn> drawn, boolean h100, int servers, int days) {
        double asked = 0;
        for (Drawn one : drawn) {
            if (one.kind.partition.equals("h100") == h100) {
                asked += one.kind.gpus * one.hours.stream().mapToDouble(x -> x).sum() * (one.fails ? 0.1 : 1);
            }
        }
        return settings.load() * servers * 8 * 24.0 * days / asked;
    }

    private int add(Drawn one, double scale, int first, List<TrueJob> jobs) {
        boolean isDebug = one.kind.partition.equals("debug");
        double usual = one.kind.hours * scale;
        long most = isDebug ? 1 : one.kind.partition.equals("h100") ? 48 : 72;
        long hours = most;
        for (int i = LIMITS.length - 1; i >= 0; i--) {
            hours = LIMITS[i] >= 2.5 * usual && LIMITS[i] <= most ? LIMITS[i] : hours;
        }
        long limit = Math.min(settings.longestLimitSeconds(), hours * HOUR);
        for (int task = 0; task < one.tasks; task++) {
            double work = one.hours.get(task) * (isDebug ? 1 : scale) * (one.fails ? 0.1 : 1);
            jobs.add(new TrueJob(
                    first + task,
                    one.tasks == 1 ? "" + first : first + "_" + task,
                    "user%02d".formatted(one.user + 1),
                    ACCOUNTS.get(one.user % ACCOUNTS.size()),
                    one.kind.partition,
                    one.kind.qos,
                    one.kind.name,
                    one.kind.gpus,
                    one.kind.typed ? one.kind.partition.equals("h100") ? "h100" : "a100" : null,
                    one.submit,
                    limit,
                    Math.max(5, Math.round(work * HOUR)),
                    one.cancel < 0 ? TrueJob.NEVER : one.submit + 60 + Math.round(one.cancel * HOUR),
                    one.fails));
        }
        return first + one.tasks;
    }

    private double normal() {
        return random.nextGaussian();
    }
}
